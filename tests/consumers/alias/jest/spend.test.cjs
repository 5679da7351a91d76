const { readFileSync, writeFileSync } = require('node:fs');
const { isReplaced, proveNote, verifyNote } = require('note-library');

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));

test('spends a note', async () => {
  expect(isReplaced).toBe(true);
  const { proof, publicSignals } = await proveNote(json('key/input.json'), 'key/note.wasm', 'key/note.zkey');
  const verified = await verifyNote(json('key/note.vkey.json'), publicSignals, proof);
  expect(verified).toBe(true);
  writeFileSync('result.json', JSON.stringify({ proof, publicSignals, verified }));
}, 60_000);
