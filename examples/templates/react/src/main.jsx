import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Prove } from './prove.jsx';
import './style.css';

createRoot(document.body).render(
  <StrictMode>
    <Prove />
  </StrictMode>,
);
