/** Source files whose mutants must be killed, with the tests that are to kill them, quick ones first. */
export interface Area {
  readonly name: string;
  /** Test files by source files. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

export const AREAS: readonly Area[] = [
  {
    name: 'random draws',
    files: {
      'sdk/proofs/groth16/blinding.ts': ['tests/proofs/groth16/blinding.test.ts'],
      'sdk/proofs/groth16/assemble.ts': ['tests/proofs/groth16/assemble.test.ts'],
      'sdk/field/random-scalar.ts': ['tests/field/random.test.ts'],
      'sdk/field/random-bytes.ts': ['tests/field/random.test.ts'],
      'sdk/msm/mask-key.ts': ['tests/msm/random-draws.test.ts'],
      'sdk/msm/scalar-masks.ts': ['tests/msm/random-draws.test.ts', 'tests/msm/masked-sums.test.ts'],
      'sdk/msm/check-weights.ts': ['tests/msm/random-draws.test.ts', 'tests/msm/random-check.test.ts'],
    },
  },
  {
    name: 'verification',
    files: {
      'sdk/proofs/groth16/verify.ts': ['tests/proofs/groth16/verify.test.ts'],
      'sdk/proofs/groth16/pairings.ts': ['tests/proofs/groth16/pairings.test.ts'],
      'sdk/proofs/groth16/unfinished-key.ts': ['tests/proofs/groth16/unfinished-key.test.ts'],
      'sdk/proofs/groth16/pinned-key.ts': ['tests/proofs/groth16/pinned-key.test.ts'],
      'sdk/snarkjs/parse-proof.ts': [
        'tests/snarkjs/parse-proof.test.ts',
        'tests/snarkjs/mutated-json.test.ts',
        'tests/snarkjs/proof-json.test.ts',
      ],
    },
  },
  {
    name: 'checks',
    files: {
      'sdk/msm/random-check.ts': ['tests/msm/random-check.test.ts'],
      'sdk/msm/recompute-check.ts': ['tests/msm/recompute-check.test.ts'],
      'sdk/msm/trusted.ts': ['tests/msm/fallback.test.ts'],
      'sdk/msm/masked-sums.ts': ['tests/msm/masked-sums.test.ts'],
      'sdk/cpu/pool/subgroup-check.ts': ['tests/cpu/pool/subgroup-check.test.ts'],
      'sdk/cpu/pool/check-sums.ts': ['tests/cpu/pool/check-sums.test.ts'],
    },
  },
  {
    name: 'cache',
    files: {
      'sdk/cache/manifest.ts': ['tests/cache/manifest.test.ts'],
      'sdk/cache/record-key.ts': ['tests/cache/source-hash.test.ts', 'tests/cache/folder-records.test.ts'],
      'sdk/cache/prepared-cache.ts': ['tests/cache/prepared-cache.test.ts', 'tests/cache/storage-budget.test.ts'],
      'sdk/engine/bases-cache.ts': ['tests/engine/cache-lifecycle.test.ts', 'tests/engine/bases-cache.test.ts'],
    },
  },
  {
    name: 'parsers',
    files: {
      'sdk/snarkjs/section-file.ts': ['tests/snarkjs/section-file.test.ts'],
      'sdk/snarkjs/zkey.ts': ['tests/snarkjs/count-coefficients.test.ts', 'tests/snarkjs/zkey.test.ts'],
      'sdk/snarkjs/zkey-chunks.ts': ['tests/snarkjs/zkey-chunks.test.ts'],
      'sdk/snarkjs/wtns.ts': ['tests/snarkjs/wtns.test.ts'],
      'sdk/snarkjs/r1cs.ts': ['tests/snarkjs/r1cs.test.ts'],
      'sdk/snarkjs/curve-equation.ts': ['tests/snarkjs/curve-equation.test.ts'],
      'sdk/snarkjs/witness-values.ts': ['tests/snarkjs/wtns.test.ts', 'tests/snarkjs/secrets.test.ts'],
      'sdk/field/point-bytes.ts': ['tests/field/field.test.ts'],
    },
  },
  {
    name: "the farm's door",
    files: {
      'sdk/server/front/key-ring.ts': ['tests/server/front/key-ring.test.ts', 'tests/server/front/api-keys.test.ts'],
      'sdk/server/front/callers.ts': ['tests/server/front/callers.test.ts', 'tests/server/front/bodies.test.ts'],
      'sdk/server/front/api-key.ts': ['tests/server/front/api-key.test.ts'],
      'sdk/server/front/rate-limit.ts': ['tests/server/front/rate-limit.test.ts'],
      'sdk/server/front/open-job-limit.ts': ['tests/server/front/open-job-limit.test.ts'],
      'sdk/server/front/open-jobs.ts': ['tests/server/front/open-jobs.test.ts'],
      'sdk/server/front/received-bodies.ts': ['tests/server/front/received-bodies.test.ts'],
      'sdk/server/queue/check-witness.ts': ['tests/server/check-witness.test.ts'],
      'sdk/server/redis/clock.ts': ['tests/server/redis-clock.test.ts'],
      'sdk/server/sealing/key-pair.ts': ['tests/server/sealing.test.ts'],
      'sdk/server/sealing/sealed-input.ts': ['tests/server/sealing.test.ts'],
    },
  },
  {
    name: 'checks of messages',
    files: {
      'sdk/extension/checked-id.ts': ['tests/extension/checked-id.test.ts'],
      'sdk/extension/framed-port.ts': ['tests/extension/framed-port.test.ts'],
      'sdk/webview/read-message.ts': ['tests/webview/read-message.test.ts'],
      'sdk/webview/protocol.ts': ['tests/webview/read-message.test.ts', 'tests/webview/proof-server.test.ts'],
      'sdk/is-object.ts': ['tests/is-object.test.ts'],
      'sdk/option-reader.ts': ['tests/option-reader.test.ts'],
      'sdk/io/downloads.ts': ['tests/io/download-progress.test.ts'],
      'sdk/transport/remote.ts': ['tests/transport/remote.test.ts', 'tests/transport/same-thread.test.ts'],
    },
  },
];
