/** Those of the most used passwords that are long enough to be taken otherwise. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `12345678 123456789 1234567890 0123456789 987654321 87654321 11111111 00000000 88888888 12341234
  11223344 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 q1w2e3r4 q1w2e3r4t5 zaq12wsx qwer1234 qwerty12
  qwerty123 qwerty1234 qwertyui qwertyuiop qwertyuio asdfghjk asdfghjkl asdf1234 zxcvbnm1 zxcvbnm123
  password password1 password12 password123 password1234 password! password1! passw0rd p@ssw0rd
  p@ssword pa55word pa55w0rd passwort motdepasse contrasena wachtwoord letmein1 letmein123 letmeinnow
  welcome1 welcome12 welcome123 welcome2024 welcome2025 welcome2026 iloveyou iloveyou1 iloveyou2
  sunshine sunshine1 princess princess1 football football1 baseball baseball1 basketball superman
  superman1 batman123 spiderman starwars startrek pokemon1 pokemon123 dragon123 monkey123 master123
  shadow123 michael1 jennifer jordan23 charlie1 computer computer1 internet samsung1 samsung123
  whatever trustno1 corvette mercedes liverpool liverpool1 chelsea1 arsenal1 barcelona victoria
  elephant butterfly chocolate cheese123 changeme changeme1 changeme123 default1 default123 secret123
  admin123 admin1234 administrator adminadmin root1234 rootroot test1234 testtest testing1 testing123
  abcd1234 abc12345 abcdefgh abcdefg1 a1b2c3d4 aa123456 a12345678 aaaaaaaa asdasdasd qweasdzxc
  qweqweqwe 123123123 123321123 147258369 159357159 741852963 789456123 147852369 google123 facebook1
  myspace1 linkedin summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2025
  spring2026 autumn2025 january1 february monday123 friday123 bitcoin1 bitcoin123 crypto123 money123
  investor investor1 investment invest123 cairn123 cairncairn`.split(/\s+/),
)
