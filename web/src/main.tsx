import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { startWorker } from './api/worker.ts';
import './design/base.css';
import './design/direction.css';
import { HintLayer } from './design/hint.tsx';
import { watchFocus } from './design/kept-focus.ts';
import { applyLooks } from './design/look.ts';
import { isLoadingAhead } from './design/on-demand.tsx';
import { reloadForMissingCode } from './design/reload.ts';
import { ToastProvider } from './design/toast.tsx';
import './design/tokens.css';
import { router } from './routes/index.ts';
import { PasswordNeeded } from './shell/password-needed.tsx';
import { kept } from './storage/kept.ts';
import { loadTexts, readLanguage, TextProvider } from './text/index.tsx';
import { directionOf } from './text/languages.ts';

addEventListener('vite:preloadError', () => {
  if (!isLoadingAhead()) void reloadForMissingCode();
});

applyLooks();
watchFocus();
const language = readLanguage();
document.documentElement.lang = language;
document.documentElement.dir = directionOf(language);
void show();

/** No await of the module itself: the files of texts import from this one, and would wait for it. */
async function show(): Promise<void> {
  // The first view finds the drafts of earlier windows.
  const [texts] = await Promise.all([loadTexts(language), kept.opened]);
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
  void startWorker((address) => router.history.push(address));
}
