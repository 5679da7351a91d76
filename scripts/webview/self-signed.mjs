import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

/**
 * A key and a self-signed certificate for a server on this machine, valid for a day. Node can read certificates and not make them, so this writes
 * the few fields of one (X.509, RFC 5280) in DER.
 *
 * @returns {{ key: string, cert: string }} in PEM
 */
export function selfSigned() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = der(0x30, Buffer.from('06082a8648ce3d040302', 'hex'));
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('a test of Pippin')));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(0x30, utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS));
  const version3 = der(0xa0, der(0x02, Buffer.from([2])));
  const serial = der(0x02, Buffer.from([1]), randomBytes(8));
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(0x30, version3, serial, ecdsaWithSha256, name, validity, name, keyInfo);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines =
    der(0x30, body, ecdsaWithSha256, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** An element of DER: tag, length, contents. @param {number} tag @param {...Buffer} contents */
function der(tag, ...contents) {
  const content = Buffer.concat(contents);
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

/** @param {number} time milliseconds since 1970 */
function utcTime(time) {
  const digits = new Date(time).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
