/** Which message became of what was written, by its key: what has arrived is not shown twice. */
const arrivals = new Map<string, string>();

export const noteArrival = (key: string, messageId: string) => void arrivals.set(key, messageId);
export const arrivedAs = (key: string) => arrivals.get(key);
