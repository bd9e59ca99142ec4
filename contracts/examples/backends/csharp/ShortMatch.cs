// One match of two players, from its creation to its end.
//
// Arguments: <player_uuid> <player_uuid>; reads MUSTER_URL and MUSTER_KEY.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

public static class ShortMatch
{
    private static readonly AdminApi muster = new AdminApi(
        Environment.GetEnvironmentVariable("MUSTER_URL") ?? "http://127.0.0.1:3000",
        Environment.GetEnvironmentVariable("MUSTER_KEY"));

    public static int Main(string[] players)
    {
        if (players.Length == 2) return Play(players).Result ? 0 : 1;
        Console.Error.WriteLine("Two players are required.");
        return 2;
    }

    private static async Task<bool> Play(string[] players)
    {
        var match = new JObject { ["type"] = "duel", ["session_id"] = "match-" + Guid.NewGuid() };
        var lobby = Convert.ToBase64String(Encoding.UTF8.GetBytes((string)match["session_id"]));

        // The session with its seats. `joinable: false`: only these players may join.
        await muster.Call("sessions.create", With(match, new JObject
        {
            ["joinable"] = false,
            ["teams"] = new JArray(new JObject { ["max_size"] = 1 }, new JObject { ["max_size"] = 1 }),
            ["platform_session"] = new JArray(new JObject
            {
                ["platform"] = "Steam",
                ["platform_session_type"] = "lobby",
                ["platform_session_id_base64"] = lobby,
            }),
            ["players"] = new JArray(players.Select((player, team) => new JObject
            {
                ["player_uuid"] = player,
                ["team_id"] = team,
                ["status"] = "reserved",
            })),
        }));
        Console.WriteLine($"created: {match["session_id"]}");

        try
        {
            var stranger = new JObject { ["player_uuid"] = Guid.NewGuid().ToString(), ["team_id"] = 0 };
            await muster.Call("sessions.invitePlayer", With(match, stranger));
        }
        catch (Refusal refusal)
        {
            Console.WriteLine($"refused: {refusal.Status} {refusal.Code}");
        }

        // A server from the fleet. A client must have its version.
        await muster.Call("sessions.setInstance", With(match, new JObject
        {
            ["instance"] = new JObject
            {
                ["instance_id"] = "server-" + Guid.NewGuid(),
                ["host_type"] = "dedicated",
                ["join_status"] = "allocated",
                ["version"] = "1.4.0",
                ["join_params"] = new JObject
                {
                    ["public_conn_str"] = "203.0.113.7:7777",
                    ["private_conn_str"] = "203.0.113.7:7777?password=secret",
                },
            },
        }));
        await muster.Call("sessions.setInstanceStatus", With(match, new JObject { ["join_status"] = "joinable" }));
        Console.WriteLine($"joinable: {lobby}");

        var isComplete = await WaitForPlayers(match, players.Length);
        Console.WriteLine(isComplete ? "seated: all players" : "seated: some are missing");

        await muster.Call("sessions.end", match);
        Console.WriteLine("ended");
        return isComplete;
    }

    /// <summary>Returns whether all players have joined. A watch returns at once when the session changes.</summary>
    private static async Task<bool> WaitForPlayers(JObject match, int count)
    {
        var seen = new JObject { ["wait_seconds"] = 10 };
        var deadline = DateTime.UtcNow.AddMinutes(2);
        while (DateTime.UtcNow < deadline)
        {
            var found = await muster.Call("sessions.watch", With(match, seen)) as JObject;
            if (found == null || found["ended"] != null) return false;
            if (found["unchanged"] != null) continue;
            seen["if_none_match"] = found["etag"];
            if (CountSeated(found["session"]) == count) return true;
        }

        return false;
    }

    private static int CountSeated(JToken session) =>
        session["teams"]
            .SelectMany(team => team["players"])
            .Select(player => (string)player["status"])
            .Count(status => status == "leader" || status == "member");

    private static JObject With(JObject match, JObject members)
    {
        var joined = new JObject(match);
        foreach (var member in members) joined[member.Key] = member.Value;
        return joined;
    }
}
