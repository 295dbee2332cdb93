/** Content Security Policy Level 3: what the page may load, and from where. Scripts and styles are our files alone. */
function contentSecurityPolicy(origin: string): string {
  return Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': `'self' data: blob: ${origin}`,
    'media-src': "'self' blob:",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/** Of the worker, which calls this server and loads nothing else. It is asked for each time, as a page is. */
export const workerHeaders = {
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'; script-src 'self'",
  'Cache-Control': 'no-cache',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * The page's headers beside those that every answer has.
 * @param origin the address under which the server is reached: its pictures have it, however the page was opened
 */
export function pageHeaders(origin: string): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(origin),
    'Cache-Control': 'no-cache',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'X-Frame-Options': 'DENY',
  };
}
