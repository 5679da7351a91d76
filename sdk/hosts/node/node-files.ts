import { fileFunctionsOn } from '../../encodings/file-functions.js';
import type { FilePlatform } from '../../encodings/read-source.js';
import { openPathOrBlob } from '../../transport/served-blob.js';
import { describeHere } from './node-location.js';

/** How files are opened in Node. */
export const nodeFiles: FilePlatform = { describeLocation: describeHere, openFile: openPathOrBlob };

export const { exportVerificationKey, readInfo } = fileFunctionsOn(nodeFiles);
