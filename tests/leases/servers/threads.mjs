// Threads and processes of one program, which need no server.

export const install = "nothing";
export const find = () => [];
