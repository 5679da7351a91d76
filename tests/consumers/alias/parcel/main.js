import { configure } from 'snarkjs';
import { spendInPage } from './in-page.js';

configure({ prover: { assets: '/pippin/' } }); // for Pippin

spendInPage().then((result) => {
  document.querySelector('#result').textContent = JSON.stringify(result);
});
