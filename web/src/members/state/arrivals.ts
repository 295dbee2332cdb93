/** Maps an entry's idempotency key to the message that it became, so that it is not shown twice. */
const arrivals = new Map<string, string>();

export const noteArrival = (key: string, messageId: string) => void arrivals.set(key, messageId);
export const arrivedAs = (key: string) => arrivals.get(key);
