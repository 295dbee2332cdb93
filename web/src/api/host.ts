/** The host of a URL, in the form that people recognise; other texts stay as they are. */
export const hostOf = (address: string) => URL.parse(address)?.host ?? address;

/** Whether a host name leads to the machine of the one who asks; applications may then run there, too. */
export const isLoopback = (host: string) => /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(host);
