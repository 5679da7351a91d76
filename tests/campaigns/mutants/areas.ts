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
      'sdk/proofs/groth16/prove.ts': [
        'tests/proofs/groth16/assemble.test.ts',
        'tests/proofs/groth16/blinding.test.ts',
        'tests/proofs/groth16/prove.test.ts',
      ],
      'sdk/curves/random.ts': ['tests/curves/random.test.ts'],
      'sdk/bases/scalar-masks.ts': ['tests/bases/random-draws.test.ts', 'tests/bases/masked-msm.test.ts'],
      'sdk/bases/check-arithmetic.ts': ['tests/bases/random-draws.test.ts', 'tests/bases/random-check.test.ts'],
    },
  },
  {
    name: 'verification',
    files: {
      'sdk/proofs/groth16/verify.ts': ['tests/proofs/groth16/verify.test.ts'],
      'sdk/proofs/verified-points.ts': ['tests/proofs/groth16/verify.test.ts'],
      'sdk/proofs/key-mismatch.ts': ['tests/proofs/groth16/expected-key.test.ts'],
      'sdk/files/snarkjs/json-values.ts': [
        'tests/files/snarkjs/json-values.test.ts',
        'tests/files/snarkjs/groth16-json.test.ts',
        'tests/files/snarkjs/mutated-json.test.ts',
      ],
      'sdk/proofs/groth16/expected-key.ts': ['tests/proofs/groth16/expected-key.test.ts'],
      'sdk/files/snarkjs/groth16-json.ts': [
        'tests/files/snarkjs/groth16-json.test.ts',
        'tests/files/snarkjs/mutated-json.test.ts',
      ],
    },
  },
  {
    name: 'checks',
    files: {
      'sdk/bases/random-check.ts': ['tests/bases/random-check.test.ts'],
      'sdk/bases/gpu-or-workers.ts': ['tests/bases/gpu-or-workers.test.ts'],
      'sdk/recovery/attempt.ts': ['tests/recovery/attempt.test.ts'],
      'sdk/recovery/table.ts': ['tests/recovery/attempt.test.ts', 'tests/recovery/table.test.ts'],
      'sdk/bases/masked-msm.ts': ['tests/bases/masked-msm.test.ts'],
      'sdk/executors/workers/pool/subgroup-check.ts': ['tests/executors/workers/pool/subgroup-check.test.ts'],
      'sdk/bases/check-arithmetic.ts': ['tests/executors/workers/pool/check-msm.test.ts'],
    },
  },
  {
    name: 'cache',
    files: {
      'sdk/files/cache/manifest.ts': ['tests/files/cache/manifest.test.ts'],
      'sdk/files/cache/record-key.ts': [
        'tests/files/cache/source-hash.test.ts',
        'tests/files/cache/folder-records.test.ts',
      ],
      'sdk/files/cache/prepared-cache.ts': [
        'tests/files/cache/prepared-cache.test.ts',
        'tests/files/cache/storage-budget.test.ts',
      ],
      'sdk/engine/bases-cache.ts': ['tests/engine/cache-lifecycle.test.ts', 'tests/engine/bases-cache.test.ts'],
    },
  },
  {
    name: 'parsers',
    files: {
      'sdk/files/snarkjs/section-file.ts': ['tests/files/snarkjs/section-file.test.ts'],
      'sdk/files/snarkjs/zkey.ts': [
        'tests/files/snarkjs/count-coefficients.test.ts',
        'tests/files/snarkjs/zkey.test.ts',
      ],
      'sdk/files/snarkjs/zkey-chunks.ts': ['tests/files/snarkjs/zkey-chunks.test.ts'],
      'sdk/files/snarkjs/wtns.ts': ['tests/files/snarkjs/wtns.test.ts'],
      'sdk/files/snarkjs/r1cs.ts': ['tests/files/snarkjs/r1cs.test.ts'],
      'sdk/files/snarkjs/curve-equation.ts': ['tests/files/snarkjs/curve-equation.test.ts'],
      'sdk/files/snarkjs/witness-values.ts': [
        'tests/files/snarkjs/wtns.test.ts',
        'tests/files/snarkjs/secrets.test.ts',
      ],
      'sdk/curves/point-bytes.ts': ['tests/curves/field.test.ts'],
    },
  },
  {
    name: "the farm's door",
    files: {
      'farm/src/front/api-keys.ts': ['tests/farm/front/key-ring.test.ts', 'tests/farm/front/api-keys.test.ts'],
      'farm/src/front/callers.ts': ['tests/farm/front/callers.test.ts', 'tests/farm/front/bodies.test.ts'],
      'farm/src/front/rate-limit.ts': ['tests/farm/front/rate-limit.test.ts'],
      'farm/src/front/open-jobs.ts': ['tests/farm/front/open-job-limit.test.ts', 'tests/farm/front/open-jobs.test.ts'],
      'farm/src/front/bodies.ts': [
        'tests/farm/front/received-bodies.test.ts',
        'tests/farm/front/bodies.test.ts',
        'tests/farm/front/submit.test.ts',
        'tests/farm/front/operation.test.ts',
      ],
      'sdk/encodings/requests.ts': ['tests/encodings/requests.test.ts'],
      'farm/src/redis/clock.ts': ['tests/farm/redis-clock.test.ts'],
      'farm/src/sealing/key-pair.ts': ['tests/farm/sealing.test.ts'],
      'farm/src/sealing/sealed-input.ts': ['tests/farm/sealing.test.ts'],
    },
  },
  {
    name: 'checks of messages',
    files: {
      'sdk/hosts/extension/messages.ts': ['tests/hosts/extension/checked-id.test.ts'],
      'sdk/hosts/extension/framed-port.ts': ['tests/hosts/extension/framed-port.test.ts'],
      'sdk/hosts/webview/read-message.ts': ['tests/hosts/webview/read-message.test.ts'],
      'sdk/hosts/webview/protocol.ts': [
        'tests/hosts/webview/read-message.test.ts',
        'tests/hosts/webview/proof-server.test.ts',
      ],
      'sdk/base/records.ts': ['tests/base/records.test.ts'],
      'sdk/base/option-reader.ts': ['tests/base/option-reader.test.ts'],
      'sdk/files/downloads.ts': ['tests/files/download-progress.test.ts'],
      'sdk/transport/remote.ts': ['tests/transport/remote.test.ts', 'tests/transport/same-thread.test.ts'],
    },
  },
];
