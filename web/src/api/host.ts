/** The host of a URL, in the form that people recognise; other texts stay as they are. */
export const hostOf = (address: string) => URL.parse(address)?.host ?? address;
