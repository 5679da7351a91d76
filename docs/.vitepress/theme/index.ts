import type { Theme } from 'vitepress';
import { useRoute } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, nextTick, onMounted, watch } from 'vue';
import './style.css';

/** The home page of VitePress has no main landmark, by which screen readers find the contents. */
function markMain(): void {
  const content = document.getElementById('VPContent');
  if (content === null) return;
  if (content.querySelector('main') === null) content.setAttribute('role', 'main');
  else content.removeAttribute('role');
}

const theme: Theme = {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, null, {
      'home-hero-actions-after': () =>
        h('pre', { class: 'install', tabindex: 0 }, h('code', 'npm install pippin-prover')),
    }),
  setup() {
    const route = useRoute();
    onMounted(markMain);
    watch(
      () => route.path,
      () => nextTick(markMain),
    );
  },
};

export default theme;
