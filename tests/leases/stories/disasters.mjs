// Nothing repeats in any disaster; and a mistake that is planted in the holders is seen, so these stories can fail.

import { cutOff, failover, flush, restart } from "../lib/disasters.mjs";
import { judge, planted } from "../lib/judge.mjs";
import { story } from "../lib/story.mjs";

for (const server of ["redis", "etcd", "postgres", "mysql"]) {
  story(server, "a cut connection, for longer than the ttl", async (afterwards) =>
    judge(await cutOff(server, afterwards)),
  );

  story(server, "the server is killed, and keeps its data", async (afterwards) => {
    const result = await restart(server, afterwards);
    if (!result.silent) throw new Error("IDs were issued after the end of all intervals");
    return judge(result);
  });

  story(server, "a planted mistake is seen: the interval is not checked", async (afterwards) =>
    planted(await cutOff(server, afterwards, "endless")),
  );
}

for (const server of ["redis", "postgres"]) {
  story(server, "a failover to a replica that has not heard the last writes", async (afterwards) =>
    judge(await failover(server, afterwards)),
  );

  story(server, "a planted mistake is seen: the quarantine is too short for a failover", async (afterwards) =>
    planted(await failover(server, afterwards, "hasty")),
  );
}

story("redis", "the server is killed, and all is lost", async (afterwards) =>
  judge(await restart("redis", afterwards, { durable: false })),
);

story("redis", "FLUSHALL, while some stand still", async (afterwards) =>
  judge(await flush("redis", afterwards)),
);
