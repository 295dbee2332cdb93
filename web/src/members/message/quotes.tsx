import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { onDemand } from '../../design/on-demand.tsx';
import { quoteQuery } from '../state/quotes.ts';
import { type Reference, referencesIn } from '../state/references.ts';

const QuoteCard = onDemand(async () => (await import('./quote-card.tsx')).QuoteCard);

/**
 * The messages to which a text refers, as the reader may see them now. Where there is none for them, nothing stands here,
 * and nothing has been kept free. What they refer to in turn stays an address.
 */
export function Quotes({ text }: { text: string }) {
  const references = useMemo(() => referencesIn(text), [text]);
  return references.map((reference) => <Quote key={JSON.stringify(reference)} {...reference} />);
}

function Quote(reference: Reference) {
  const { data } = useQuery(quoteQuery(reference.message));
  return data?.ids.length === 1 && <QuoteCard {...reference} />;
}
