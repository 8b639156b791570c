"""Lists of words that search treats in a way of their own: stop words, words of asking, short and irregular forms."""


def listed(words: str) -> frozenset[str]:
    """Returns the word list for searches that a text holds between blanks."""
    return frozenset(words.split())


# Words that carry grammar, not content: never searched for, unless the question has no others.
STOP_WORDS = listed(
    """
    a about after again all also am an and any are as at be because been before being between both but by can could
    d did do does doing don during each few for from further get gets getting go goes going got had has have having
    he her here hers herself him himself his how i if in into is it its itself just know let like ll m made make makes
    me more most my myself no nor not now of off on once one only or other our ours out over own re really s same she
    should so some such t than that the their theirs them themselves then there these they thing things this those
    through to too under until up us use used uses using ve very was way we were what when where which while who whom
    whose why will with would you your yours yourself
    """
)

# Words that are in any text, whatever it is about: in a search they are stop words too.
LIGHT_WORDS = listed(
    """
    across actually almost along already although always among another anyone anything around away back cannot else
    enough even ever every everyone everything however instead keep keeping keeps maybe might must need needed needing
    needs neither never nothing perhaps quite rather shall since somehow someone something sometimes somewhere still
    though thus toward towards unless upon via want wanted wanting wants whether within without yet
    """
)

# What a search leaves out, unless there is nothing else.
EMPTY_WORDS = STOP_WORDS | LIGHT_WORDS

# Words that only make the sentence a question: they count half.
ASKING_WORDS = listed(
    """
    activity activities describe different event events happen happened happens kind kinds long lot many mention
    mentioned much name new often plan plans recent recently said say says sort specific tell thought type types
    various
    """
)

# Words that place a time or are part of a name ("the today screen"): they count half, too.
NEAR_WORDS = ("today", "yesterday")

# Words that any note may have: "what bugs did we fix yesterday" asks for what is of that day, whatever it says.
VAGUE_WORDS = listed(
    """
    add added adding become begin break breaks broken bug bugs change changed changes changing close closed code
    commit commits complete completed create created decide decided decision decisions delete deleted deployed
    detail details discover discovered discuss discussed done end ended fail failed fails file files find finish
    finished fix fixed fixes handle handled implement implemented improve improved introduced issue issues
    landed learn learned learnt matter mended merged move moved note noted notes problem problems progress
    project released remove removed reported resolve resolved saved session sessions ship shipped solve solved
    start started stop stopped task tasks team tested topic topics touch touched tried try update updated
    updates work worked working works write wrong
    """
)

# One word for what people write in several ways: forms that no suffix rule reaches, and short forms.
SPELLINGS = dict(
    pair.split(">")
    for pair in listed("""
    ate>eat became>become began>begin begun>begin bought>buy broke>break broken>break brought>bring built>build
    came>come caught>catch children>child chose>choose chosen>choose drawn>draw drew>draw driven>drive drove>drive
    eaten>eat fallen>fall fell>fall felt>feel flew>fly forgot>forget forgotten>forget found>find froze>freeze
    frozen>freeze gave>give given>give gone>go grew>grow grown>grow heard>hear held>hold hid>hide hidden>hide
    hung>hang indices>index kept>keep knew>know known>know led>lead left>leave lost>lose men>man met>meet paid>pay
    people>person ran>run ridden>ride rode>ride sang>sing sat>sit saw>see seen>see sent>send slept>sleep sold>sell
    spent>spend spoke>speak spoken>speak stood>stand sung>sing swam>swim taken>take taught>teach threw>throw
    thrown>throw told>tell took>take understood>understand went>go woke>wake won>win women>woman wore>wear worn>wear
    written>write wrote>write
    admin>administrator arg>argument args>argument async>asynchronous
    auth>authentication authn>authentication authz>authorization cfg>configuration cmd>command conf>configuration
    config>configuration configs>configuration creds>credential db>database dbs>database dep>dependency
    deps>dependency dev>development dir>directory dirs>directory doc>documentation docs>documentation
    env>environment envs>environment func>function impl>implementation info>information k8s>kubernetes lib>library
    libs>library msg>message msgs>message param>parameter params>parameter perf>performance pkg>package
    postgres>postgresql prod>production ref>reference refs>reference repo>repository repos>repository
    spec>specification specs>specification stats>statistic sync>synchronize tmp>temporary tz>timezone
    var>variable vars>variable
    """)
)
