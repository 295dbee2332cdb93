export { commandRoutesOfTeams } from './command.routes.ts';
export { type CommandsOfTeams, commandsOfTeams } from './command.service.ts';
