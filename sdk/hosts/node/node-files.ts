import type { VerificationKey } from '../../api/index.js';
import { type ExportVerificationKey, type ReadInfo, verificationKeyOf } from '../../encodings/file-functions.js';
import { fileInfo } from '../../encodings/file-info.js';
import { type FilePlatform, readSource } from '../../encodings/read-source.js';
import { openPathOrBlob } from '../../transport/served-blob.js';
import { describeHere } from './node-location.js';

/** How files are opened in Node. */
export const nodeFiles: FilePlatform = { describeLocation: describeHere, openFile: openPathOrBlob };

export const exportVerificationKey: ExportVerificationKey = <Key extends VerificationKey>(
  ...[zkey, options]: Parameters<ExportVerificationKey>
) => readSource(nodeFiles, zkey, 'a .zkey', options, verificationKeyOf<Key>);

export const readInfo: ReadInfo = (file, options) =>
  readSource(nodeFiles, file, 'a .zkey, .wtns or .r1cs', options, fileInfo);
