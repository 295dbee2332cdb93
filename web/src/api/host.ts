/** Whose server an address leads to, as one would recognise it; what is no address stays as it is. */
export const hostOf = (address: string) => URL.parse(address)?.host ?? address;
