import type { VerificationKey } from '../../api/index.js';
import { type ExportVerificationKey, type ReadInfo, verificationKeyOf } from '../../encodings/file-functions.js';
import { fileInfo } from '../../encodings/file-info.js';
import { type FilePlatform, readSource } from '../../encodings/read-source.js';
import { describeUrl } from './browser-location.js';

const platform: FilePlatform = { describeLocation: describeUrl, openFile: undefined };

export const exportVerificationKey: ExportVerificationKey = <Key extends VerificationKey>(
  ...[zkey, options]: Parameters<ExportVerificationKey>
) => readSource(platform, zkey, 'a .zkey', options, verificationKeyOf<Key>);

export const readInfo: ReadInfo = (file, options) =>
  readSource(platform, file, 'a .zkey, .wtns or .r1cs', options, fileInfo);
