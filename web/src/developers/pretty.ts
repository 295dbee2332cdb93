/** JSON with its structure shown; anything else as it is. A long one may have been cut, and is no JSON any more. */
export function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}
