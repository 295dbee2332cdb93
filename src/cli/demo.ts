export async function runDemo(): Promise<void> {
  throw new Error('not yet');
}
