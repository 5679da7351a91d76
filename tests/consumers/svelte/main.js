import { mount } from 'svelte';
import SpendNote from './SpendNote.svelte';

mount(SpendNote, { target: document.querySelector('#app') });
