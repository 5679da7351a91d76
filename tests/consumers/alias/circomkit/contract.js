import { createEVM } from '@ethereumjs/evm';
import solc from 'solc';

const GAS = 10_000_000n;

/** Compiles a verifier, puts it on a chain in memory, and gives its `verifyProof` for words of the ABI. */
export async function deployVerifier(source) {
  const { contracts, errors } = JSON.parse(
    solc.compile(
      JSON.stringify({
        language: 'Solidity',
        sources: { 'verifier.sol': { content: source } },
        settings: { outputSelection: { '*': { '*': ['evm.bytecode', 'evm.methodIdentifiers'] } } },
      }),
    ),
  );
  if (errors !== undefined) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const { bytecode, methodIdentifiers } = contracts['verifier.sol'].Groth16Verifier.evm;
  const [[signature, selector]] = Object.entries(methodIdentifiers);
  if (!signature.startsWith('verifyProof(uint256[2],uint256[2][2],uint256[2],uint256[')) throw new Error(signature);
  const evm = await createEVM();
  const bytes = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));
  const { createdAddress: to } = await evm.runCall({ data: bytes(bytecode.object), gasLimit: GAS });
  return async (words) => {
    const data = bytes(selector + words.map((word) => word.toString(16).padStart(64, '0')).join(''));
    const { execResult } = await evm.runCall({ to, data, gasLimit: GAS });
    if (execResult.exceptionError !== undefined) throw new Error(execResult.exceptionError.error);
    return BigInt(`0x${Buffer.from(execResult.returnValue).toString('hex')}`) === 1n;
  };
}
