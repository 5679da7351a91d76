import { spendInPage } from './in-page.js';

spendInPage().then((result) => {
  document.querySelector('#result').textContent = JSON.stringify(result);
});
