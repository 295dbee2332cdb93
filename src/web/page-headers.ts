/** Content Security Policy Level 3: what the page may load, and from where. Scripts and styles are our files alone. */
function contentSecurityPolicy(loopbackApps: boolean): string {
  // Icons of applications are pictures on their own servers.
  const pictures = ['https:', ...(loopbackApps ? ['http://localhost:*', 'http://127.0.0.1:*'] : [])];
  return Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'font-src': "'self'",
    'img-src': `'self' data: blob: ${pictures.join(' ')}`,
    'media-src': "'self' blob:",
    'connect-src': "'self'",
    'manifest-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/** What the page of the web application is sent with. It is asked for anew each time, and seldom sent anew. */
export function pageHeaders(loopbackApps: boolean): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(loopbackApps),
    'Cache-Control': 'no-cache',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    'X-Frame-Options': 'DENY',
  };
}
