import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import './design/base.css';
import { applyTheme, readTheme } from './design/theme.ts';
import { ToastProvider } from './design/toast.tsx';
import './design/tokens.css';
import { router } from './routes/index.ts';
import { loadTexts, readLanguage, TextProvider } from './text/index.tsx';

const HINT_DELAY_MS = 500;

applyTheme(readTheme());
const language = readLanguage();
document.documentElement.lang = language;
const texts = await loadTexts(language);

createRoot(document.getElementById('root') as HTMLElement).render(
  <CSPProvider disableStyleElements>
    <TextProvider language={language} texts={texts}>
      <QueryClientProvider client={queryClient}>
        <Tooltip.Provider delay={HINT_DELAY_MS}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </Tooltip.Provider>
      </QueryClientProvider>
    </TextProvider>
  </CSPProvider>,
);
