import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import './design/base.css';
import { HintLayer } from './design/hint.tsx';
import { applyTheme, readTheme } from './design/theme.ts';
import { ToastProvider } from './design/toast.tsx';
import './design/tokens.css';
import { router } from './routes/index.ts';
import { PasswordNeeded } from './shell/password-needed.tsx';
import { loadTexts, readLanguage, TextProvider } from './text/index.tsx';

// A missing file belongs to an older build of the server: the page is reloaded, but not in a loop.
const RELOADED = 'parley.reloaded';
const RELOAD_PAUSE_MS = 10_000;
addEventListener('vite:preloadError', () => {
  const last = Number(sessionStorage.getItem(RELOADED));
  if (Date.now() - last < RELOAD_PAUSE_MS) return;
  sessionStorage.setItem(RELOADED, String(Date.now()));
  location.reload();
});

applyTheme(readTheme());
const language = readLanguage();
document.documentElement.lang = language;
const texts = await loadTexts(language);

createRoot(document.getElementById('root') as HTMLElement).render(
  <TextProvider language={language} texts={texts}>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <RouterProvider router={router} />
        <HintLayer />
        <PasswordNeeded />
      </ToastProvider>
    </QueryClientProvider>
  </TextProvider>,
);
