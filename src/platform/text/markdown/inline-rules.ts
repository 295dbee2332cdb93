import MarkdownItParser, { type MarkdownIt, type ParserInline, type StateInline } from 'markdown-it';
import { withoutEnd } from '../address.ts';
import { isSeen } from '../seen.ts';

type Rule = ReturnType<ParserInline['ruler']['getRules']>[number];

/** Punctuation of Chinese, Japanese and Korean, which no address has and no space follows. */
const WIDE = '\\u3000-\\u303f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65';

/** An address ends where its link text does, in `[see https://a.example](https://b.example)`. */
const WEB = `(?:https?://|(?<![\\w.@/-])www\\.(?=[\\p{L}\\p{N}-]{1,63}\\.[\\p{L}\\p{N}]))(?:(?!\\]\\()[^\\s<>"\`${WIDE}])+`;

const MAIL =
  '(?<![\\w.@+-])[A-Za-z0-9][\\w.+-]{0,63}@[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\\.[A-Za-z0-9-]{1,63}){0,8}\\.[A-Za-z]{2,63}(?![\\w@-])';

/**
 * The name of an emoji ends before letters, digits and colons, and begins after none: `10:30:00`, `2001:db8:beef::1` and
 * `std::party::x` have no emoji.
 */
const EMOJI = '(?<![\\p{L}\\p{N}:]):(?<emoji>[a-z0-9_+-]{2,32}):(?![\\p{L}\\p{N}:])';

/** Letters of scripts that put no spaces between words, or hang what belongs to a word behind it. */
const UNBROKEN = ['Han', 'Hira', 'Kana', 'Hang', 'Bopo', 'Thai', 'Laoo', 'Khmr', 'Mymr']
  .map((script) => `\\p{scx=${script}}`)
  .join('');

/**
 * A user name after an @ that is not inside a word. It ends where no letter goes on: `@adaé` and `@adaж` call nobody, and
 * Chinese, which has no spaces, may follow.
 */
const NAME = `(?<![\\w.@+-])@(?<mention>[A-Za-z0-9][A-Za-z0-9._-]{0,63})(?![_\\p{M}\\p{N}]|(?![${UNBROKEN}])\\p{L})`;

/** Signs of formatting alone: the paths of Windows, `\\server\share`, keep theirs. */
const ESCAPED = '\\\\[*_~`[\\]{}@:#>|]';

/** Everything at which something other than text may begin, or a link's text end. Letters of both cases are faster than a flag. */
const SIGNS = '[\\\\`*_~[\\]@{:]|[Hh][Tt][Tt][Pp][Ss]?://|[Ww][Ww][Ww]\\.';
const NEXT = new RegExp(SIGNS, 'g');
/** A mail address begins before its sign: only a line that has one is searched for it. */
const NEXT_OR_MAIL = new RegExp(`${SIGNS}|${MAIL}`, 'g');

/** What is known of the line that is read. */
class Line extends new MarkdownItParser('zero').inline.State {
  readonly hasMail = this.src.includes('@');
  #brackets: Brackets | undefined;

  get brackets(): Brackets {
    this.#brackets ??= new Brackets(this.src);
    return this.#brackets;
  }

  override scanDelims(start: number, canSplitWord: boolean): Scanned {
    return flanks(this, start, canSplitWord, super.scanDelims(start, canSplitWord));
  }
}
type Scanned = ReturnType<StateInline['scanDelims']>;

const lineOf = (state: StateInline) => state as Line;

const PIECES = {
  web: new RegExp(WEB, 'iyu'),
  mail: new RegExp(MAIL, 'yu'),
  mention: new RegExp(NAME, 'yu'),
  emoji: new RegExp(EMOJI, 'yu'),
  object: /\{0\}/uy,
  escaped: new RegExp(ESCAPED, 'yu'),
  /** The address in brackets, a title in quotation marks, and nothing else. */
  target: /\([ \t]*(?<url>(?:[^\s()<>]|\([^\s()<>]*\))+)(?:[ \t]+"(?<title>[^"\n]*)")?[ \t]*\)/uy,
};

function at(state: StateInline, form: RegExp, pos = state.pos): RegExpExecArray | undefined {
  form.lastIndex = pos;
  const found = form.exec(state.src);
  return found && form.lastIndex <= state.posMax ? found : undefined;
}

const text: Rule = (state, silent) => {
  const next = lineOf(state).hasMail ? NEXT_OR_MAIL : NEXT;
  next.lastIndex = state.pos;
  const end = Math.min(next.exec(state.src)?.index ?? state.posMax, state.posMax);
  if (end === state.pos) return false;
  if (!silent) state.pending += state.src.slice(state.pos, end);
  state.pos = end;
  return true;
};

/** User information before an @ poses as the host: `https://bank.example:login@evil.example`. */
function isPlainHost(url: string): boolean {
  const { username, password, hostname } = URL.parse(url) ?? { username: 'unreadable' };
  return username === '' && password === '' && hostname !== '';
}

/** Adds a link to an address that was written as it is; within the text of another link it is text. */
function pushLink(state: StateInline, shown: string, url: string): void {
  if (state.linkLevel > 0) {
    state.pending += shown;
    return;
  }
  state.push('link_open', 'a', 1).attrs = [['href', url]];
  state.push('text', '', 0).content = shown;
  state.push('link_close', 'a', -1);
}

const web: Rule = (state, silent) => {
  const [found] = at(state, PIECES.web) ?? [];
  if (found === undefined) return false;
  const shown = withoutEnd(found);
  const isBare = /^www\./i.test(shown);
  const url = isBare ? `https://${shown}` : shown;
  if (!silent) {
    if (isPlainHost(url)) pushLink(state, shown, url);
    else state.pending += shown;
  }
  state.pos += shown.length;
  return shown !== '';
};

const mail: Rule = (state, silent) => {
  const [shown] = at(state, PIECES.mail) ?? [];
  if (shown === undefined) return false;
  if (!silent) pushLink(state, shown, `mailto:${shown}`);
  state.pos += shown.length;
  return true;
};

/** A link's text calls nobody. */
const mention: Rule = (state, silent) => {
  const longest = at(state, PIECES.mention)?.groups?.mention;
  if (longest === undefined || state.linkLevel > 0) return false;
  const name = longest.replace(/(?<![._-])[._-]+$/, '');
  if (!silent) Object.assign(state.push('mention', '', 0), { content: name, info: longest });
  state.pos += name.length + 1;
  return true;
};

const piece =
  (form: RegExp, kind: string): Rule =>
  (state, silent) => {
    const found = at(state, form);
    if (!found) return false;
    if (!silent) state.push(kind, '', 0).content = found.groups?.emoji ?? found[0];
    state.pos += found[0].length;
    return true;
  };

const backticks = new MarkdownItParser('zero').enable('backticks').inline.ruler.getRules('').at(-1) as Rule;

/**
 * Code of nothing but blanks, as two fences with no line between them, stays as it was written. Of several lines, as in a
 * fence that begins beside its first line, all show.
 */
const code: Rule = (state, silent) => {
  const { pos } = state;
  if (!backticks(state, silent)) return false;
  const last = state.tokens.at(-1);
  if (silent || last?.type !== 'code_inline' || state.pending !== '') return true;
  if (last.content.trim() === '') {
    state.tokens.pop();
    state.pending = state.src.slice(pos, state.pos);
  } else {
    const { length } = last.markup;
    const inner = state.src.slice(pos + length, state.pos - length);
    if (inner.includes('\n')) last.content = inner.replace(/^\n/, '').replace(/\n$/, '');
  }
  return true;
};

const escaped: Rule = (state, silent) => {
  const [found] = at(state, PIECES.escaped) ?? [];
  if (found === undefined) return false;
  if (!silent) state.pending += found.slice(1);
  state.pos += found.length;
  return true;
};

/** `[text](https://a.example "title")`: without an address of the web or a text that is seen, it stays as it was written. */
const link: Rule = (state, silent) => {
  const { pos, posMax } = state;
  if (state.src[pos] !== '[' || state.linkLevel > 0) return false;
  const end = lineOf(state).brackets.endOfLabel(pos);
  const target = end === undefined ? undefined : at(state, PIECES.target, end + 1);
  if (end === undefined || !target) return false;
  const { url = '', title } = target.groups ?? {};
  const isShown = isSeen(state.src.slice(pos + 1, end).replaceAll(/[*_~`]/g, ''));
  if (!isShown || !/^https?:\/\//i.test(url) || !isPlainHost(url)) return false;
  if (!silent) {
    const open = state.push('link_open', 'a', 1);
    open.attrs = [['href', url], ...(title ? [['title', title] as [string, string]] : [])];
    open.info = 'named';
    Object.assign(state, { pos: pos + 1, posMax: end, linkLevel: state.linkLevel + 1 });
    state.md.inline.tokenize(state);
    state.linkLevel -= 1;
    state.push('link_close', 'a', -1);
  }
  state.pos = end + 1 + target[0].length;
  state.posMax = posMax;
  return true;
};

/** The brackets of a line, found once: a line of nothing but brackets costs no more than another one. */
class Brackets {
  readonly #src: string;
  readonly #closing = new Map<number, number>();
  #target = -1;

  constructor(src: string) {
    this.#src = src;
    const open: number[] = [];
    for (const { index, 0: sign } of src.matchAll(/\\?[[\]]/g)) {
      if (sign === '[') open.push(index);
      const start = sign === ']' ? open.pop() : undefined;
      if (start !== undefined) this.#closing.set(start, index);
    }
  }

  /** @returns where the text of a link ends that begins here: at the first bracket before an address, if that is its own */
  endOfLabel(start: number): number | undefined {
    if (this.#target < start) this.#target = this.#src.indexOf('](', start);
    if (this.#target < 0) this.#target = this.#src.length;
    return this.#closing.get(start) === this.#target ? this.#target : undefined;
  }
}

const WIDE_LETTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]$/u;
const WORD = /[\p{Script=Latin}\p{N}]/u;
/** `__init__.py` is a name. */
const GOES_ON = /^(?:\.\w|\()/;

/**
 * Emphasis where no spaces stand between words: next to Chinese, Japanese and Korean it may begin before and end after
 * punctuation. Within a Latin word one star is none: `2*3*4`.
 */
function flanks(line: Line, start: number, canSplitWord: boolean, scanned: Scanned): Scanned {
  const end = start + scanned.length;
  const before = line.src.slice(Math.max(0, start - 2), start);
  const after = line.src.slice(end, end + 2);
  if (canSplitWord) {
    const [first = ''] = after;
    const isWide = [before, first].some((one) => WIDE_LETTER.test(one));
    scanned.can_open ||= isWide && /^\S/.test(after);
    scanned.can_close ||= isWide && /\S$/.test(before);
    const isInWord = WORD.test(before.at(-1) ?? '') && WORD.test(after.at(0) ?? '');
    if (scanned.length === 1 && isInWord) scanned.can_open = scanned.can_close = false;
  } else if (scanned.length > 1) scanned.can_close &&= !GOES_ON.test(after);
  return scanned;
}

export function addInlineRules(md: MarkdownIt): void {
  const { ruler } = md.inline;
  md.enable(['backticks', 'strikethrough', 'emphasis', 'link', 'escape']);
  ruler.at('backticks', code);
  ruler.at('escape', escaped);
  ruler.at('link', link);
  ruler.after('text', 'emoji', piece(PIECES.emoji, 'emoji'));
  addPieces(md);
}

/** What is no formatting: addresses, names, and the place of an application's object. */
export function addPieces(md: MarkdownIt): void {
  const { ruler } = md.inline;
  ruler.at('text', text);
  ruler.after('text', 'mention', mention);
  ruler.after('text', 'object', piece(PIECES.object, 'object'));
  ruler.after('text', 'mail', mail);
  ruler.after('text', 'web', web);
  md.inline.State = Line;
}
