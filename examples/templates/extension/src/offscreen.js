import { serveProver } from 'pippin-prover/extension';

// This document outlives the popup. It holds the prover and the keys of all pages of the extension.
serveProver();
