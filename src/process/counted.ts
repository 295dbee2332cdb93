/** A number with what it counts, in the right form: "1 file", "2 files of uploads". */
export const counted = (value: number, thing: string, several = `${thing}s`) =>
  `${value.toLocaleString('en')} ${value === 1 ? thing : several}`;

export const uploadsCounted = (value: number) => counted(value, 'file of uploads', 'files of uploads');
