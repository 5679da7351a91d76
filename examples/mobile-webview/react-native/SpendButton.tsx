import { useRef, useState } from 'react';
import { Button, Text, View } from 'react-native';
import inputs from './input.json';
import { PippinWebView, type PippinWebViewHandle } from './PippinWebView';

/** One button that proves, and one that cancels. */
export function SpendButton() {
  const prover = useRef<PippinWebViewHandle>(null);
  const abort = useRef<AbortController>(undefined);
  const [text, setText] = useState('Ready');

  const prove = async (): Promise<void> => {
    abort.current = new AbortController();
    try {
      const { publicSignals, ms } = await prover.current!.prove('note', inputs, {
        signal: abort.current.signal,
        onProgress: (fraction) => setText(`${Math.floor(100 * fraction)}%`),
        onState: ({ state, reason }) => state === 'paused' && setText(`Paused: ${reason}`),
      });
      setText(`Proved in ${ms} ms: ${publicSignals.join(', ')}`);
    } catch (error) {
      setText(error instanceof Error ? error.message : String(error));
    }
  };

  return (
    <View>
      <Button title="Prove" onPress={() => void prove()} />
      <Button title="Cancel" onPress={() => abort.current?.abort()} />
      <Text>{text}</Text>
      <PippinWebView ref={prover} page="https://wallet.example/pippin/index.html" />
    </View>
  );
}
