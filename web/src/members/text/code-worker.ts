import type { Emitter, LanguageFn } from 'highlight.js';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { Job, Word } from './code-words.ts';

const LANGUAGES: Readonly<Record<string, LanguageFn>> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  php,
  powershell,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Keeps what the parser finds as words, in place of its HTML. */
class Words implements Emitter {
  readonly words: Word[] = [];
  readonly #kinds: string[] = [];

  openNode(kind: string): void {
    this.#kinds.push(kind.split('.', 1)[0] ?? '');
  }

  closeNode(): void {
    this.#kinds.pop();
  }

  /** Of a single word. */
  startScope(kind: string): void {
    this.openNode(kind);
  }

  endScope(): void {
    this.closeNode();
  }

  addText(text: string): void {
    if (text !== '') this.words.push([this.#kinds.at(-1) ?? '', text]);
  }

  /** As the style of a page in its HTML. */
  __addSublanguage(inner: Words): void {
    this.words.push(...inner.words);
  }

  finalize(): void {}

  toHTML(): string {
    return '';
  }
}
hljs.configure({ __emitter: Words } as Parameters<typeof hljs.configure>[0]);

/** @returns undefined for a language that is none of these, and where the parser gave up, so that no text is lost */
function wordsOf({ text, language }: Job): readonly Word[] | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  const { _emitter: found } = hljs.highlight(text, { language, ignoreIllegals: true });
  const { words } = found as Words;
  return words.map(([, part]) => part).join('') === text ? words : undefined;
}

addEventListener('message', ({ data }: MessageEvent<Job>) => postMessage(wordsOf(data)));
postMessage('ready');
