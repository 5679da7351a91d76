import { type ExportVerificationKey, type ReadInfo, verificationKeyOf } from '../../encodings/file-functions.js';
import { fileInfo } from '../../encodings/file-info.js';
import { type FilePlatform, readSource } from '../../encodings/read-source.js';
import { describeUrl } from './browser-location.js';

const platform: FilePlatform = { describeLocation: describeUrl, openFile: undefined };

export const exportVerificationKey: ExportVerificationKey = (zkey, options) =>
  readSource(platform, zkey, 'a .zkey', options, verificationKeyOf);

export const readInfo: ReadInfo = (file, options) =>
  readSource(platform, file, 'a .zkey, .wtns or .r1cs', options, fileInfo);
