import theme from 'vitepress/theme';
import './site.css';

// VitePress's own theme, with room for wide tables and sufficient contrast.
export default theme;
