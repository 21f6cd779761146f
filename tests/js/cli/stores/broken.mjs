// A module that fails.
throw new Error("the server is down");
