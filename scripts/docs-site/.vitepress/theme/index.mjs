import theme from 'vitepress/theme';
import './site.css';

// VitePress's own theme, with room for wide tables and enough contrast for everybody.
export default theme;
