/** Texts without an ID: what else stands in logs, chats and files. */
import type { Entry } from "./entry.ts";
import type { Random } from "./random.ts";

const HEX = "0123456789abcdef";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

const FIXED = `
+1 415 555 2671
004915112345678
(030) 1234-5678
+442079460958
14155552671
tel:+16502530000
€ 1.234.567,89
$12,345,678.90
total 1,299.00 USD
1,234,567
EUR 1.000.000.000
version 1.12.0-rc.3
node v20.19.5
Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36
10.0.19045.4529
2024.1.3.1
00:1a:2b:3c:4d:5e
001A2B3C4D5E
00-1A-2B-3C-4D-5E
2001:0db8:85a3:0000:0000:8a2e:0370:7334
fe80::1ff:fe23:4567:890a
192.168.100.200
10.0.0.1:54321
4111111111111111
5500 0000 0000 0004
378282246310005
6011111111111117
4242-4242-4242-4242
2024-05-01T12:00:00.123Z
20240501120000
2024-05-01
20240501
1714564800
1714564800123
1714564800123456
1714564800123456789
1714564800.123
Wed, 21 Oct 2015 07:28:00 GMT
DE89370400440532013000
GB29NWBK60161331926819
9783161484100
978-3-16-148410-0
4006381333931
1Z999AA10123456784
9400110200881234567890
52.5200066, 13.4049540
52.52000659999999,13.404953999999975
#ff8800aa
0xdeadbeef
0x742d35Cc6634C0532925a3b844Bc454e4438f44e
1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa
https://www.youtube.com/watch?v=dQw4w9WgXcQ
https://github.com/nodejs/node/issues/12345
https://github.com/nodejs/node/commit/3d3dd0f4a1b2c3d4e5f60718293a4b5c6d7e8f90
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
d670460b4b4aece5915caf5c68d12f560a9fe3e4
git show 1a2b3c4
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01
span_id=00f067aa0ba902b7
X-B3-SpanId: a2fb4a1d1a96d312
{"span":"e457b5a2e4d86bd1","parent":"05e3ac9a4f6e3b90"}
AKIAIOSFODNN7EXAMPLE
cus_NffrFeUfNV2Hib
pi_3MtwBwLkdIwHu7ix28a3tqPa
sk_test_4eC39HqLyjWDarjtT1zdp7dc
eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9
V1StGXR8_Z5jdHi6B-myT
M8R4-KEYIs
S-1-5-21-3623811015-3361044348-30300820-1013
XXXX-YYYY-ZZZZ-1234
1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms
the quick brown fox jumps over the lazy dog
internationalization and authentication
an unauthenticated user requested reconfiguration
SELECT count(*) FROM information_schema.tables
3.14159265358979323846
6.02214076e23
123456789
1234567890
9007199254740991
9223372036854775807
18446744073709551615
340282366920938463463374607431768211456
1000000000000000000
<t:1618953630:R>
order 100-2345678-1234567
ISBN 0-306-40615-2
AB123456C
4.294.967.295
max-age=31536000
Content-Length: 1048576000
took 1234567890123 us
heap 1073741824 of 4294967296 bytes
JIRA-12345 closed, see PR #6789
lat=48.137154,lng=11.576124
`;

export function none(random: Random): Entry[] {
  const fixed = FIXED.split("\n").filter((line) => line !== "");
  const drawn = [
    ...Array.from({ length: 8 }, () => random.text(HEX, 16)),
    ...Array.from({ length: 4 }, () => random.text(HEX, 40)),
    ...Array.from({ length: 3 }, () => random.text(HEX, 12)),
    ...Array.from({ length: 4 }, () => random.text(LETTERS, 14)),
    ...Array.from({ length: 3 }, () => random.text(LETTERS, 11)),
  ];
  return [...fixed, ...drawn].map((text) => ({ text, answer: "none" }));
}
