/** The address of a team for somebody who has just joined it: it says who is there. */
export const addressForNewcomer = (teamId: string): string => `/teams/${teamId}?hello=new`;
