'use client';

import { useEffect, useState } from 'react';
import { spendInPage } from '../in-page.js';

export default function Page() {
  const [result, setResult] = useState();
  useEffect(() => {
    spendInPage().then(setResult);
  }, []);
  return <output id="result">{result && JSON.stringify(result)}</output>;
}
