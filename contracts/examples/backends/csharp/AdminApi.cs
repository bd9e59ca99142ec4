using System;
using System.Net.Http;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

/// <summary>The service refused a call, or another program responded, such as a gateway.</summary>
public class Refusal : Exception
{
    public readonly int Status;
    public readonly string Code;
    public readonly TimeSpan RetryAfter;

    public Refusal(int status, string code, string desc, TimeSpan retryAfter) : base($"{status} {code}: {desc}")
    {
        Status = status;
        Code = code;
        RetryAfter = retryAfter;
    }

    public bool IsTemporary =>
        Code == "session_busy" || Status == 429 || Status == 502 || Status == 503 || Status == 504;
}

public class AdminApi
{
    private const int Attempts = 5;
    private readonly HttpClient http = new HttpClient { Timeout = TimeSpan.FromSeconds(40) };
    private readonly string url;

    public AdminApi(string url, string key)
    {
        this.url = url;
        http.DefaultRequestHeaders.Add("Authorization", $"Bearer {key}");
    }

    /// <summary>Returns the data of a call. Every call of this program is safe to repeat, even after a lost response.</summary>
    public async Task<JToken> Call(string procedure, JObject input)
    {
        for (var attempt = 1; ; attempt++)
        {
            var wait = TimeSpan.FromSeconds(1);
            try
            {
                return await Send(procedure, input);
            }
            catch (Refusal refusal) when (refusal.IsTemporary && attempt < Attempts)
            {
                wait = refusal.RetryAfter;
            }
            catch (HttpRequestException) when (attempt < Attempts)
            {
            }
            catch (TaskCanceledException) when (attempt < Attempts)
            {
                // The timeout of HttpClient.
            }

            await Task.Delay(wait);
        }
    }

    private async Task<JToken> Send(string procedure, JObject input)
    {
        var content = new StringContent(input.ToString(), Encoding.UTF8, "application/json");
        var response = await http.PostAsync($"{url}/admin/trpc/{procedure}", content);
        var text = await response.Content.ReadAsStringAsync();
        if (!response.IsSuccessStatusCode) throw ReadRefusal(response, text);
        return JObject.Parse(text)["result"]["data"];
    }

    private static Refusal ReadRefusal(HttpResponseMessage response, string text)
    {
        var status = (int)response.StatusCode;
        var retryAfter = response.Headers.RetryAfter?.Delta ?? TimeSpan.FromSeconds(1);
        try
        {
            // Errors of the HTTP layer, such as 429, have their members at the top.
            var body = JObject.Parse(text);
            var data = body["error"]?["data"] ?? body;
            var code = (string)data["error_code"] ?? "unexpected_response";
            return new Refusal(status, code, (string)data["desc"], retryAfter);
        }
        catch (JsonException)
        {
            return new Refusal(status, "unexpected_response", response.ReasonPhrase, retryAfter);
        }
    }
}
