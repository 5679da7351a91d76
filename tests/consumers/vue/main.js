import { createApp } from 'vue';
import SpendNote from './SpendNote.vue';

createApp(SpendNote).mount('#app');
