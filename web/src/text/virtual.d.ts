/** Made by compile-texts.ts. */
declare module 'virtual:texts/*' {
  const texts: import('./shape.ts').Texts;
  export default texts;
}
