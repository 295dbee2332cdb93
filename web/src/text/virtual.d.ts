/** Made by compile-texts.ts. */
declare module 'virtual:texts/*' {
  type Texts = import('./shape.ts').Texts;
  type TextPart = import('./shape.ts').TextPart;
  const texts: Omit<Texts, TextPart> & { [Part in TextPart]?: Texts[Part] };
  export default texts;
  export const parts: { readonly [Part in TextPart]: () => Promise<{ readonly default: Texts[Part] }> };
}
