import { fileFunctionsOn } from '../../encodings/file-functions.js';
import { describeUrl } from './browser-location.js';

export const { exportVerificationKey, readInfo } = fileFunctionsOn({
  describeLocation: describeUrl,
  openFile: undefined,
});
