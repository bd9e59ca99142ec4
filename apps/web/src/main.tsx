// The web app's start: the page that the service sent becomes the app.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './theme/theme.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.getElementById('app');
if (!root) throw new Error('The page has no element #app.');
createRoot(root).render(<App />);
