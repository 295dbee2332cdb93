import { Combobox } from '@base-ui/react/combobox';
import { useQuery } from '@tanstack/react-query';
import { Check, ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { hasWords, isCalled } from '../../api/matching.ts';
import {
  connectionsBefore,
  connectionsQuery,
  membershipsQuery,
  meQuery,
  personQuery,
} from '../../api/queries.ts';
import type { Offer } from '../../api/types.ts';
import { Avatar, TeamIcon } from '../../design/avatar.tsx';
import { nameOf } from '../../design/person.tsx';
import { useSettled } from '../compose/use-settled.ts';
import { useBlockId, useBlocks } from './context.ts';
import { UNFILLED, useElementValue, useLabelled, useName } from './element-value.tsx';
import styles from './elements.module.css';
import { askOptions } from './offers.ts';
import { type ElementOf, initialOf, type Value } from './values.ts';
import { plainOf } from './words.tsx';

/** What can be chosen. */
interface Item {
  readonly id: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** The name of the group that it is in. */
  readonly group?: string | undefined;
  readonly face?: ReactNode;
}

type Options = ElementOf<'static_select' | 'multi_static_select'>;
type External = ElementOf<'external_select' | 'multi_external_select'>;
type MenuOption = NonNullable<ElementOf<'static_select'>['options']>[number];

/** From a list that came with the message. */
export function OptionSelect({ element }: { element: Options }) {
  const [typed, setTyped] = useState('');
  const items = itemsIn(element);
  const shown = items.filter(({ name, description = '' }) => hasWords(`${name} ${description}`, typed));
  return <Choosing element={element} items={items} shown={shown} typed={typed} onType={setTyped} />;
}

const itemOf = ({ text, value, description }: MenuOption, group?: string): Item => ({
  id: value,
  name: plainOf(text),
  description: description && plainOf(description),
  group,
});

const itemsIn = ({ options = [], option_groups }: Offer): readonly Item[] =>
  option_groups?.flatMap((group) => group.options.map((option) => itemOf(option, plainOf(group.label)))) ??
  options.map((option) => itemOf(option));

/** Characters that are typed before the application is asked, unless it says otherwise. */
const LEAST_TYPED = 3;
const SETTLES_MS = 250;

/** From what the application offers as somebody types. */
export function OfferSelect({ element }: { element: External }) {
  const t = useTranslations('blocks');
  const { surface, act, application } = useBlocks();
  const block_id = useBlockId();
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<readonly Item[]>([]);
  const value = useSettled(typed.trim(), SETTLES_MS);
  const least = element.min_query_length ?? LEAST_TYPED;
  const question = { block_id, action_id: element.action_id ?? '', value };
  const isLong = (text: string) => [...text].length >= least;
  const { data, isFetching, isError } = useQuery({
    queryKey: ['options', surface.id, question],
    queryFn: ({ signal }) => askOptions(surface, question, signal),
    enabled: act !== undefined && isLong(value),
    // As long as the server keeps it.
    staleTime: 5 * 60_000,
    retry: false,
  });
  const initial = element.type === 'external_select' ? [element.initial_option] : element.initial_options;
  const begun = (initial ?? []).flatMap((option) => (option ? [itemOf(option)] : []));
  const shown = isLong(typed.trim()) && data ? itemsIn(data) : [];
  const isWaiting = isFetching || value !== typed.trim();
  const { name } = application;
  return (
    <Choosing
      element={element}
      items={[...begun, ...known, ...shown]}
      shown={shown}
      typed={typed}
      onType={setTyped}
      onChosen={(chosen) => setKnown(chosen)}
      nothing={
        !isLong(typed.trim())
          ? t('typeMore', { count: least })
          : isWaiting
            ? t('finding', { name })
            : isError
              ? t('reasons.no_answer', { name })
              : undefined
      }
    />
  );
}

/** Among the people of the message's team, or of all the reader's, and the reader. */
export function PeopleSelect({ element }: { element: ElementOf<'users_select' | 'multi_users_select'> }) {
  const { message } = useBlocks();
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<readonly Item[]>([]);
  const { data: people = [] } = useQuery({
    ...connectionsQuery(typed.trim(), message.addressed_teams[0]),
    placeholderData: connectionsBefore(typed.trim()),
  });
  const { data: me } = useQuery(meQuery);
  const own = me && isCalled(me, typed.trim()) ? [me] : [];
  const shown = [...people, ...own].map((person) => ({
    id: person.id,
    name: nameOf(person),
    description: person.title,
    face: <Avatar person={person} size="small" />,
  }));
  return (
    <Choosing
      element={element}
      items={[...known, ...shown]}
      shown={shown}
      typed={typed}
      onType={setTyped}
      onChosen={(chosen) => setKnown(chosen)}
      nameOfOther={(id) => <PersonName id={id} />}
    />
  );
}

function PersonName({ id }: { id: string }) {
  const { data } = useQuery(personQuery(id));
  return data ? nameOf(data) : '…';
}

/** The message's team. */
export function ConversationSelect(props: {
  element: ElementOf<
    'conversations_select' | 'channels_select' | 'multi_conversations_select' | 'multi_channels_select'
  >;
}) {
  const { message } = useBlocks();
  const [typed, setTyped] = useState('');
  const { data: memberships = [] } = useQuery(membershipsQuery);
  const items = memberships
    .filter(({ team }) => message.addressed_teams.includes(team.id))
    .map(({ team }) => ({ id: team.id, name: team.name, face: <TeamIcon team={team} /> }));
  const shown = items.filter(({ name }) => hasWords(name, typed));
  return <Choosing element={props.element} items={items} shown={shown} typed={typed} onType={setTyped} />;
}

interface ChoosingProps {
  readonly element:
    | Options
    | External
    | Parameters<typeof PeopleSelect>[0]['element']
    | Parameters<typeof ConversationSelect>[0]['element'];
  /** All that are known; `shown` fit what is typed. */
  readonly items: readonly Item[];
  readonly shown: readonly Item[];
  readonly typed: string;
  readonly onType: (text: string) => void;
  readonly onChosen?: (chosen: readonly Item[]) => void;
  readonly nameOfOther?: (id: string) => ReactNode;
  /** Stands in place of an empty list. */
  readonly nothing?: string | undefined;
}

/** A button that opens a list to search in: of one thing, or of several. */
function Choosing(props: ChoosingProps) {
  const { element, items } = props;
  const initial = initialOf(element) as Value;
  const isMulti = Array.isArray(initial);
  const held = useElementValue(element, initial);
  const chosen = [held.value].flat().filter((id) => id !== '');
  const known = (id: string): Item => items.find((item) => item.id === id) ?? { id, name: '' };
  const most = 'max_selected_items' in element ? (element.max_selected_items ?? Infinity) : Infinity;
  const shared = { ...props, chosen: chosen.map(known), isAble: held.isAble };
  return (
    <>
      {isMulti ? (
        <Several
          {...shared}
          most={most}
          hold={(ids) => held.hold(ids)}
          tell={(ids, before) => held.tell(ids, before)}
        />
      ) : (
        <One {...shared} tell={(id) => held.tell(id)} />
      )}
      {held.dialog}
    </>
  );
}

interface ListProps extends ChoosingProps {
  readonly chosen: readonly Item[];
  readonly isAble: boolean;
}

interface Group {
  readonly name: string;
  readonly items: readonly Item[];
}

/** Items below the names of their groups, where they have groups. */
function grouped(items: readonly Item[]): readonly Item[] | readonly Group[] {
  if (!items.some(({ group }) => group !== undefined)) return items;
  return [...Map.groupBy(items, ({ group = '' }) => group)].map(([name, of]) => ({ name, items: of }));
}

const shared = {
  itemToStringLabel: ({ name }: Item) => name,
  isItemEqualToValue: (one: Item, other: Item) => one.id === other.id,
  filter: null,
};

function One({ tell, ...props }: ListProps & { tell: (id: string) => void }) {
  const { shown, chosen, typed, onType, onChosen, isAble } = props;
  return (
    <Combobox.Root<Item>
      {...shared}
      items={grouped(shown) as readonly Item[]}
      filteredItems={grouped(shown) as readonly Item[]}
      value={chosen[0] ?? null}
      inputValue={typed}
      onInputValueChange={onType}
      onOpenChange={() => onType('')}
      disabled={!isAble}
      autoHighlight
      onValueChange={(item) => {
        if (!item || item.id === chosen[0]?.id) return;
        onChosen?.([item]);
        tell(item.id);
      }}
    >
      <Trigger {...props} />
      <List nothing={props.nothing} />
    </Combobox.Root>
  );
}

/** Its application is told when the list is closed. */
function Several(
  props: ListProps & {
    most: number;
    hold: (ids: readonly string[]) => void;
    tell: (ids: readonly string[], before: readonly string[]) => void;
  },
) {
  const { shown, chosen, typed, onType, onChosen, isAble, most, hold, tell } = props;
  const t = useTranslations('blocks');
  const [before, setBefore] = useState<readonly string[]>();
  const ids = chosen.map(({ id }) => id);
  const onOpenChange = (open: boolean) => {
    onType('');
    if (open) return setBefore(ids);
    if (before && before.join('\n') !== ids.join('\n')) tell(ids, before);
    setBefore(undefined);
  };
  return (
    <Combobox.Root<Item, true>
      {...shared}
      multiple
      items={grouped(shown) as readonly Item[]}
      filteredItems={grouped(shown) as readonly Item[]}
      value={[...chosen]}
      inputValue={typed}
      onInputValueChange={onType}
      onOpenChange={onOpenChange}
      disabled={!isAble}
      autoHighlight
      onValueChange={(next, { reason }) => {
        // Escape closes the list. By default it would also clear the selection.
        if (reason === 'escape-key' || next.length > most) return;
        onChosen?.(next);
        hold(next.map(({ id }) => id));
      }}
    >
      <Trigger {...props} />
      <List nothing={props.nothing} note={Number.isFinite(most) ? t('atMost', { count: most }) : undefined} />
    </Combobox.Root>
  );
}

function Trigger({ element, chosen, nameOfOther }: ListProps) {
  const t = useTranslations('blocks');
  const labelled = useLabelled();
  const name = useName(element.placeholder, t('choose'));
  const value = chosen
    .map((item) => item.name)
    .filter(Boolean)
    .join(', ');
  return (
    <Combobox.Trigger
      aria-describedby={labelled?.described}
      aria-invalid={labelled?.isWrong || undefined}
      aria-required={labelled?.isRequired || undefined}
      className={styles.trigger}
      aria-label={value === '' ? name : `${name}: ${value}`}
      data-empty={chosen.length === 0}
    >
      <span className={styles.chosen}>
        {chosen.length === 0
          ? element.placeholder
            ? plainOf(element.placeholder)
            : t('choose')
          : chosen.map(({ id, name: one }, at) => (
              <bdi key={id}>
                {at > 0 && ', '}
                {one || nameOfOther?.(id) || id}
              </bdi>
            ))}
      </span>
      <ChevronDown size={16} aria-hidden />
    </Combobox.Trigger>
  );
}

function List({ note, nothing }: { note?: string | undefined; nothing: string | undefined }) {
  const t = useTranslations('blocks');
  return (
    <Combobox.Portal>
      <Combobox.Positioner sideOffset={4} align="start" className={styles.layer}>
        <Combobox.Popup className={styles.popup} aria-label={t('choose')}>
          <Combobox.Input
            {...UNFILLED}
            className={styles.search}
            placeholder={t('search')}
            aria-label={t('search')}
          />
          {note && <p className={styles.empty}>{note}</p>}
          <Combobox.Empty>
            <p className={styles.empty}>{nothing ?? t('nothing')}</p>
          </Combobox.Empty>
          <Combobox.List className={styles.list}>
            {(part: Item | Group) =>
              'items' in part ? (
                <Combobox.Group key={part.name} items={part.items}>
                  <Combobox.GroupLabel className={styles.groupName}>{part.name}</Combobox.GroupLabel>
                  <Combobox.Collection>
                    {(item: Item) => <Choice key={item.id} item={item} />}
                  </Combobox.Collection>
                </Combobox.Group>
              ) : (
                <Choice key={part.id} item={part} />
              )
            }
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}

function Choice({ item }: { item: Item }) {
  return (
    <Combobox.Item value={item} className={styles.item}>
      {item.face}
      <span className={styles.option}>
        <bdi>{item.name}</bdi>
        {item.description && <span className={styles.soft}>{item.description}</span>}
      </span>
      <Combobox.ItemIndicator className={styles.tick}>
        <Check size={16} aria-hidden />
      </Combobox.ItemIndicator>
    </Combobox.Item>
  );
}
