import { Prove } from './prove.jsx';

/** Rendered on the server, where the hooks start nothing; the browser proves. */
export default function Page() {
  return <Prove />;
}
