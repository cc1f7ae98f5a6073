"""Length is no fault: an ordinary long answer is as coherent as a short one, and one that loops is not."""

import pytest
from tests.models.offline.verdicts import judged

ESSAY_QUERY = "Why do cities plant street trees?"
ESSAY = """Cities plant street trees for reasons that go well beyond decoration. The most immediate one is heat: \
asphalt and concrete store warmth during the day and release it at night, so dense districts stay several \
degrees hotter than the countryside around them. A row of mature trees shades the pavement and cools the air by \
evaporating water from its leaves. On a summer afternoon the difference between a shaded street and a bare one \
can exceed ten degrees at the surface.

Water is the second reason. Heavy rain that falls on sealed ground runs straight into the sewers, which \
overflow when too much arrives at once. Tree pits soak up part of that flow, and the crowns hold back some of \
the rain before it even reaches the ground. Several councils now design planting strips as small reservoirs for \
this purpose.

There are social effects as well. People walk more on streets that feel pleasant, shops on such streets report \
longer visits, and drivers tend to slow down where trunks narrow their view. Studies from Toronto and \
Philadelphia have linked greener blocks to better self-reported health, although it remains hard to separate \
the trees from the income of those who live near them.

None of this comes free. Roots lift paving slabs, leaves block drains in autumn, and a young tree needs \
watering for three years before it can look after itself. Species also have to be chosen with care, since a \
street lined with a single kind can be lost to one disease, as happened to the elms. For most cities, however, \
the savings in cooling, drainage and health outweigh the cost of maintenance within two decades."""

HOW_TO_QUERY = "How do I set up a backup for my photo library on an external drive?"
HOW_TO = """To set up a backup for your photo library, you need an external drive that is at least twice as large as \
the library. The steps below work on any recent desktop computer:

1. **Check the size of the library**: Open the folder that holds your photos and look at its properties. Write \
the number down, since you will need it when you choose a drive.

2. **Format the drive**: Connect the external drive and open the disk tool of your system. Choose a file system \
that your computer can read and write, give the drive a clear name such as "Photo backup", and confirm. \
Everything on the drive is erased in this step.

3. **Install a backup program**: Use the one that came with your system, or a free one such as Duplicati. Make \
sure it can keep older versions of a file.

4. **Select the source folder**: In the program, create a new task and choose the folder of the library. Leave \
out caches and thumbnails, because they can be made again at any time.

5. **Select the destination**: Choose the external drive. Turn encryption on if you carry it around, and keep \
the password somewhere other than on the computer.

6. **Set a schedule**: A daily run at night suits most people. If the computer is off at that hour, the program \
catches up when it is started next.

7. **Run the first copy**: Start the task by hand. A library of 200 GB takes about three hours over USB 3.

8. **Test a restore**: Pick one picture, restore it to the desktop, and open it. A copy that nobody has ever \
read back is not yet a backup.

Once a year, plug in a second drive, copy everything to it, and store it at a friend's house: \
https://www.example.org/offsite explains why."""

COMPARISON_QUERY = "What are the differences between SQL and NoSQL databases, and when should I use each?"
COMPARISON = """SQL and NoSQL databases differ in how they shape data, how they scale, and which guarantees they give.

### Data model
SQL databases store data in tables with fixed columns. Each row follows the schema, and relations between \
tables are expressed by foreign keys. NoSQL databases drop the fixed schema: MongoDB keeps documents, Redis \
keeps keys with values, Cassandra keeps wide rows, and Neo4j keeps graphs.

### Scaling
SQL databases traditionally grow by moving to a larger machine. Sharding is possible, but joins across shards \
are slow. NoSQL databases were built to spread over many cheap servers, so adding capacity often means adding a \
node.

### Consistency
SQL databases offer ACID transactions: either every change of a transaction is kept or none is. NoSQL databases \
often relax this in favour of availability, and a reader may see an older value for a short while. Some of \
them, such as DynamoDB, let you choose per request.

### Query language
SQL databases share a declarative language that most engineers already know. NoSQL databases each bring an \
interface of their own, which makes switching harder.

### When to use each
- Use SQL when correctness matters most, as in accounting, bookings or stock control.
- Use SQL when the questions you will ask are not known in advance, because joins answer almost anything.
- Use NoSQL when the shape of the records changes often or differs from one to the next.
- Use NoSQL when writes arrive faster than one machine can take them.

Many teams run both: PostgreSQL for orders and payments, and Redis beside it for sessions and caches, e.g. with \
LLMs or an LSTM served from the same cluster."""

LONG = {
    "essay": (ESSAY_QUERY, ESSAY),
    "how-to": (HOW_TO_QUERY, HOW_TO),
    "comparison": (COMPARISON_QUERY, COMPARISON),
}
each_long_answer = pytest.mark.parametrize(("query", "answer"), LONG.values(), ids=LONG)

LOOP = """Meditation has many benefits for the mind. It calms the mind and lowers stress, which is good for sleep. \
Good sleep lowers stress and calms the mind, which is one of the benefits of meditation. When stress is lower, \
the mind is calm and sleep is better. Meditation also helps people who sleep badly, because it calms the mind \
and lowers stress. People who meditate sleep better because meditation lowers stress and calms the mind. A calm \
mind is good for sleep, and good sleep is good for the mind. It also lowers stress, which is good for sleep and \
for the mind. The calm mind of people who meditate lowers their stress, and lower stress helps them sleep. So \
meditation calms the mind, lowers stress and helps people sleep. It is good for sleep because it lowers stress, \
and it is good for stress because it calms the mind. The benefits of meditation are a calm mind, lower stress \
and good sleep."""


def coherence(query: str, answer: str, context: str = "") -> float:
    return judged("coherence", query, answer, context).score


@each_long_answer
def test_an_ordinary_long_answer_is_coherent(query: str, answer: str):
    assert coherence(query, answer) >= 0.85


@each_long_answer
def test_an_ordinary_long_answer_is_coherent_beside_what_it_was_made_from(query: str, answer: str):
    context = " ".join(answer.replace("\n", " ").split()[:150])

    assert coherence(query, answer, context) >= 0.85


def test_a_long_answer_that_goes_round_in_circles_is_not():
    assert coherence("What are the benefits of meditation?", LOOP) <= 0.4


def test_what_jars_in_a_summary_is_felt_less_in_an_answer():
    text = (
        "A bond is a loan to a company. A bond pays interest to its holder each year. A share is a part of a company. "
        "A share pays a part of the profit to its holder each year."
    )
    context = "A bond is a loan to a company and pays interest. A share is a part of a company and pays profit."

    assert coherence("Summarize the text.", text, context) < 0.6
    assert coherence("What do bonds and shares pay?", text, context) > 0.7


@each_long_answer
def test_a_loop_in_an_ordinary_long_answer_costs(query: str, answer: str):
    opening = answer.split(". ", maxsplit=1)[0]
    looping = f"{answer} {' '.join(f'{opening}, as said {number} times.' for number in range(2, 8))}"

    assert coherence(query, looping) < coherence(query, answer) - 0.1


@each_long_answer
@pytest.mark.parametrize(
    "filler",
    [
        "It is important to note that this is a topic with many aspects, and more could be said about it.",
        "In conclusion, the above covers all parts of the question in detail.",
        "This is a very interesting subject that many people all over the world think about every single day.",
    ],
)
def test_filler_makes_no_room_for_faults(query: str, answer: str, filler: str):
    words = answer.split()
    faulty = f"{answer} Again, {' '.join(words[2:20])} once more. Again, {' '.join(words[2:14])} once more."

    assert coherence(query, f"{faulty} {filler}") <= coherence(query, faulty)
